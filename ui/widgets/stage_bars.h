#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace triaxis::ui
{

/// One number a pipeline stage, as small bars.
class StageBars : public QWidget
{
    Q_OBJECT
public:
    explicit StageBars(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// `whole`: what a full bar stands for.
    void setValues(std::vector<double> values, double whole);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QString m_title;
    std::vector<double> m_values;
    double m_whole = 1;
};

} // namespace triaxis::ui
