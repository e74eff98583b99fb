#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace triaxis::ui
{

/// One whole number a pipeline stage, as small bars.
class StageBars : public QWidget
{
    Q_OBJECT
public:
    explicit StageBars(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// `whole`: what a full bar stands for.
    void setValues(std::vector<int> values, int whole);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QString m_title;
    std::vector<int> m_values;
    int m_whole = 1;
};

} // namespace triaxis::ui
